"""A relay between a client and its server."""

import socket
import threading


class Relay:
    """Between a client and its server, to see how TCP itself ends: Python's ssl takes an RST for an end in order."""

    def __init__(self, authority):
        host, port = authority.rsplit(":", 1)
        self.server = socket.create_connection((host, int(port)))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.client = socket.create_connection(listener.getsockname())
            self.near, _ = listener.accept()
        self.end = None
        threading.Thread(target=self.pump, args=(self.near, self.server), daemon=True).start()
        self.hearing = threading.Thread(target=self.pump, args=(self.server, self.near), daemon=True)
        self.hearing.start()

    def leave(self):
        """Ends both ways without a word: the client's own thread may still be reading, so its socket is not closed under it."""
        self.near.shutdown(socket.SHUT_RDWR)

    def pump(self, source, target):
        end = "FIN"
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except ConnectionResetError:
            end = "RST"
        except OSError:
            pass
        if source is self.server:
            self.end = end
        try:
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass
