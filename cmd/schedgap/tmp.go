package main

func binaryVersion() string { return version }

var version = "devel"
