# The profiler's page in a real browser, without a network: nothing is wrong on
# its console, each panel has something in it, columns sort, rows group and are
# looked for, and the tree changes its shape, depth and cut-off.
# one GCC
prof=${PROF:-$BUILD/tools/tensor-prof}
tensorcc=${TENSORCC:-$BUILD/tools/tensorcc}
TENSOR_CC=${CC_UNDER_TEST:-$GCC}
export TENSOR_CC

verdict ()
{
  if test "$1" -eq 0; then
    echo "PASS: $2"
  else
    echo "FAIL: $2"
  fi
}

browser=
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  test -n "$browser" || browser=$(command -v $name)
done
if test -z "$browser"; then
  echo 'UNSUPPORTED: no chromium: the page is not opened'
  exit 0
fi

cat >shown.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <tensorrt-mini.h>

static float x[300000], y[300000];

static __attribute__ ((noinline)) void
scale (int n)
{
#pragma tensor name("scale")
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i] / (1 + x[i] * y[i]);
}

static __attribute__ ((noinline)) void
add (int n)
{
#pragma tensor name("add")
  for (int i = 0; i < n; i++)
    y[i] += x[i] * x[i];
}

static __attribute__ ((noinline)) void
smooth (int n)
{
  for (int k = 0; k < 20; k++)
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * 0.5f + y[i];
}

static void *
beside (void *argument)
{
  for (int i = 0; i < 20; i++)
    add (1000);
  return argument;
}

int
main (void)
{
  pthread_t thread;
  int64_t extent[] = { 500, 500 };
  pthread_create (&thread, NULL, beside, NULL);
  for (int i = 0; i < 40; i++)
    {
      trm_profile_range_begin ("step");
      trm_profile_range_begin ("first half");
      for (int k = 0; k < 3; k++)
        scale (300000);
      trm_profile_range_end ("first half");
      trm_tensor *t = trm_zeros (TRM_F32, 2, extent);
      trm_tensor *u = trm_add (t, t);
      trm_drop (t);
      trm_drop (u);
      add (300000);
      trm_profile_range_end ("step");
      smooth (30000);
    }
  pthread_join (thread, NULL);
  return y[7] == 3;
}
END
"$tensorcc" --tensor-report=none -O2 -g -pthread shown.c -o shown \
  && "$prof" --html=page.html ./shown
verdict $? 'a page'

# What is done to the page, and told at its end.
cat >try.js <<'END'
const told = [];
const by = id => document.getElementById(id);
const tell = (claim, words) => told.push((claim ? 'PASS: ' : 'FAIL: ') + words);
const rows = id => [...by(id).tBodies[0].rows]
  .filter(r => r.className !== 'rest');
const count = selector => document.querySelectorAll(selector).length;
const press = (holder, word) => [...by(holder).querySelectorAll('button')]
  .find(b => b.textContent === word).click();
const set = (id, value) => {
  by(id).value = value;
  by(id).dispatchEvent(new Event('input'));
};
function column(head) {
  const heads = [...by('table').tHead.rows[0].cells];
  const i = heads.findIndex(h => h.textContent === head);
  return {head: heads[i],
    values: () => rows('table').map(r => parseFloat(r.cells[i].textContent))};
}
const falls = v => v.every((x, i) => !i || v[i - 1] >= x);
function isDrawn(canvas) {
  const all = canvas.getContext('2d').getImageData(0, 0, canvas.width,
    canvas.height).data;
  return all.some((x, i) => i % 4 < 3 && x > 0 && x < 200);
}
function tryAll() {
  tell(by('facts').children.length >= 6, 'facts');
  tell(rows('table').length >= 5, 'a table of regions');
  tell(count('#tree rect') >= 5, 'an icicle');
  tell(isDrawn(by('timeline')), 'a timeline');
  tell(count('#roofline circle') >= 3 && count('#roofline path') === 2,
    'a roofline with regions and two roofs');
  tell(count('#memory path') >= 4, 'memory over time, and of lines');
  tell(rows('holders').some(r => r.cells[0].textContent === 'shown.c:52'
    && r.cells[2].textContent === '977 KiB'), 'who held it');
  tell(rows('counted').length >= 3, 'what the compiler counted');
  tell(rows('functions').some(r => r.textContent.includes('smooth')),
    'functions outside regions');
  tell(rows('lines').some(r => /^shown.c:2[89]/.test(r.textContent)), 'lines');
  tell([...by('notes').children].some(n => n.textContent.includes('smooth')),
    'a note of the loop without a pragma');

  const calls = column('Calls');
  calls.head.click();
  const down = calls.values();
  calls.head.click();
  const up = calls.values();
  tell(falls(down) && !falls(up) && falls(up.reverse()),
    'a column sorts down and up');
  press('groups', 'file');
  tell(rows('table').some(r => r.textContent.includes('ranges of the program')),
    'rows group by file');
  press('groups', 'region');
  set('filter', 'HALF');
  tell(rows('table').length === 1, 'rows are looked for');
  set('filter', '');

  press('shapes', 'sunburst');
  const all = count('#tree path');
  set('depth', 1);
  const outer = count('#tree path');
  tell(all > outer && outer > 1, 'a sunburst has less depth');
  set('depth', 3);
  const deeper = count('#tree path');
  set('cut', 50);
  tell(deeper > outer && count('#tree path') < deeper
    && by('cut-text').textContent === '10.0 %', 'a sunburst is cut off');
  set('cut', 1);
  press('shapes', 'flame');
  const bars = count('#tree rect');
  const bar = document.querySelectorAll('#tree rect')[1];
  const lowest = +document.querySelector('#tree rect').getAttribute('y');
  tell(lowest > +bar.getAttribute('y'), 'a flame grows upwards');
  bar.dispatchEvent(new MouseEvent('click'));
  tell(count('#tree rect') < bars, 'a place fills the picture');
  by('whole').click();
  tell(count('#tree rect') === bars, 'and all is there again');
}
setTimeout(() => {
  try {
    tryAll();
  } catch (error) {
    tell(false, 'an error: ' + error);
  }
  const list = document.createElement('pre');
  list.textContent = '\n' + told.join('\n') + '\nEND OF TRIAL\n';
  document.body.append(list);
}, 500);
END

# Open $1, what it becomes in $1.dom, what is on its console in $1.log.
open_page ()
{
  HOME=$(pwd) timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
    --disable-dev-shm-usage "--user-data-dir=$(pwd)/browser" \
    --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr \
    --window-size=1300,900 --virtual-time-budget=20000 --dump-dom \
    "file://$(pwd)/$1" >"$1.dom" 2>"$1.log"
}

# The page $1 with what is done to it, as $2.
with_trial ()
{
  {
    sed '/^<\/body>/,$d' "$1"
    echo '<script>{'
    cat try.js
    echo '}</script></body></html>'
  } >"$2"
}

with_trial page.html tried.html
open_page tried.html
if ! grep '</html>' tried.html.dom >/dev/null; then
  echo 'UNSUPPORTED: the browser does not start here'
  exit 0
fi
grep -E '^(PASS|FAIL): ' tried.html.dom
grep '^END OF TRIAL' tried.html.dom >/dev/null
verdict $? 'the page runs'
! grep CONSOLE tried.html.log
verdict $? 'nothing is wrong on its console'

# A page whose depth does nothing, and one that breaks, are told from it.
sed 's/level < depth/level < 99/' page.html >worse.html
with_trial worse.html worse-tried.html
open_page worse-tried.html
grep '^FAIL: a sunburst has less depth' worse-tried.html.dom >/dev/null
verdict $? 'a page whose depth does nothing is found'
sed 's/^fillTable();/fillTables();/' page.html >broken.html
open_page broken.html
grep 'CONSOLE.*fillTables is not defined' broken.html.log >/dev/null
verdict $? 'an error of a script is found'

# A program in which nothing ran.
printf '#include <tensorrt-mini.h>\nint main (void) { return !trm_version (); }\n' \
  >nothing.c
"$tensorcc" -O2 nothing.c -o nothing && "$prof" --html=nothing.html ./nothing
open_page nothing.html
! grep CONSOLE nothing.html.log && grep '>outside regions<' nothing.html.dom \
  >/dev/null
verdict $? 'a page without regions'
