"""What figures, widgets and exercises of all chapters share."""
