"""What all code shares: arrays, angles, checks, the list of chapters, measured data."""
