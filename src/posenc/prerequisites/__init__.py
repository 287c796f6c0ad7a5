"""What the page before the first chapter computes."""
