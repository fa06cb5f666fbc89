# `npm test` plays a client that does not keep to the contract.
export CLIENT=$SAMPLES/scenes/sloppy.py
