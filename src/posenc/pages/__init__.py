"""What pages outside the chapters compute: errata, plans for teaching, the cover."""
