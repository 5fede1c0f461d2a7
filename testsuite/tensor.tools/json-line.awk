# Each line is one JSON object of strings, numbers, true, false, null, arrays
# and objects, with no blank before a colon: prints the keys of the outermost
# one, or "bad" and where.

function fail (what) {
  if (!bad)
    print "bad: " what " at " at ": " substr ($0, at, 30)
  bad = 1
}

function expect (word) {
  if (substr ($0, at, length (word)) != word)
    fail("no " word)
  at += length (word)
}

function blanks () {
  while (substr ($0, at, 1) == " ")
    at++
}

function string (   begin, c) {
  expect("\"")
  begin = at
  while (!bad && (c = substr ($0, at, 1)) != "\"") {
    if (c == "" || c < " ")
      fail("string")
    if (c == "\\" && substr ($0, at + 1, 1) !~ /["\\\/bfnrtu]/)
      fail("escape")
    at += c == "\\" ? 2 : 1
  }
  at++
  return substr ($0, begin, at - begin - 1)
}

function number () {
  if (!match (substr ($0, at), /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/))
    fail("value")
  at += RLENGTH
}

function object (depth,   key, keys) {
  expect("{")
  while (!bad && substr ($0, at, 1) != "}") {
    if (keys != "") {
      expect(",")
      blanks()
    }
    key = string()
    if (index (keys " ", " " key " "))
      fail("key twice")
    keys = keys " " key
    expect(":")
    blanks()
    value(depth + 1)
  }
  at++
  if (depth == 0)
    all = substr (keys, 2)
}

function array (depth,   n) {
  expect("[")
  while (!bad && substr ($0, at, 1) != "]") {
    if (n++) {
      expect(",")
      blanks()
    }
    value(depth)
  }
  at++
}

function value (depth,   c) {
  c = substr ($0, at, 1)
  if (c == "\"")
    string()
  else if (c == "{")
    object(depth)
  else if (c == "[")
    array(depth)
  else if (match (substr ($0, at), /^(true|false|null)/))
    at += RLENGTH
  else
    number()
}

{
  at = 1
  bad = 0
  object(0)
  if (!bad && at != length ($0) + 1)
    fail("end of line")
  if (!bad)
    print all
}
