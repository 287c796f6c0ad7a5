"""Content of pages outside the chapters: errata, plans for teaching, the cover."""
