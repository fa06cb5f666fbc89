"""A test run that is killed in its middle, as by a machine that is out of memory."""

import os
import signal


def test_takes_all_memory():
    os.kill(os.getpid(), signal.SIGKILL)
