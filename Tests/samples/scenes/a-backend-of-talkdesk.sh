# The piece is part of a program.
{ echo 'import os, requests'; cat backend.py; echo 'assert token'; } >whole.py
sparring run --allow-unexercised -- python3 whole.py
