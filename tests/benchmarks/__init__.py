"""What the platform costs, measured: `make bench`. Noise is large on small machines, so read the ratios."""
