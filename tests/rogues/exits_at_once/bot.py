"""Exits before it has joined, with a word of excuse."""

import sys

sys.stderr.write("I would rather not play\n")
sys.exit(9)
