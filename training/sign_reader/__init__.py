"""Trains the speed-limit sign reader: from crops and rendered signs to `sign-reader.onnx`."""
