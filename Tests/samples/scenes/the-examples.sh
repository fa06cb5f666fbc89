# The complete clients, as they are installed.
cp -R "$ROOT/Sources/Packaging/examples" examples
