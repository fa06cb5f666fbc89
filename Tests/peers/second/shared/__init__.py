"""Common to the clients of the second hands: the command line, the clock, pooled HTTP, and the sandbox that they play in."""
