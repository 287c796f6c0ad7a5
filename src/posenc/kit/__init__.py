"""Parts that figures, widgets and exercises of all chapters share."""
