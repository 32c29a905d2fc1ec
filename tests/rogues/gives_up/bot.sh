#!/bin/sh
# Gives up before it has joined, after trying to take others along.
kill -9 -1
echo "no more" >&2
exit 7
