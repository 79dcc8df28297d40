"""Builds the wheel of the one module schedgap.py, without any other package: pip install ./scripts/python works without a network."""
import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def project(key):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return re.search(r'^%s = "(.*)"$' % key, file.read(), re.M).group(1)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, version = project("name"), project("version")
    info = "%s-%s.dist-info/" % (name, version)
    with open(os.path.join(HERE, name + ".py"), "rb") as file:
        files = {name + ".py": file.read()}
    metadata = "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nRequires-Python: %s\n"
    files[info + "METADATA"] = (metadata % (name, version, project("description"), project("requires-python"))).encode()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: wheel_of_one\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    rows = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append("%s,sha256=%s,%d\n" % (path, digest, len(data)))
    files[info + "RECORD"] = "".join([*rows, info + "RECORD,,\n"]).encode()
    wheel = "%s-%s-py3-none-any.whl" % (name, version)
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("install the folder, or its wheel")
