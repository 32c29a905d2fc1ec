"""Generated from proto/arena/v1 by proto/generate.py. Never edit."""
