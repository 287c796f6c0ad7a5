"""Interactive pictures: each is live in Jupyter and works on a static page as well."""
