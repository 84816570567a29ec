import { describe, expect, it } from 'vitest'
import { readCommand } from './shell-command.ts'

function fileUses(command: string): readonly string[] {
  const { reads, writes, deletes } = readCommand(command)
  return [
    ...reads.map((path) => `read ${path}`),
    ...writes.map((path) => `wrote ${path}`),
    ...deletes.map((path) => `deleted ${path}`),
  ]
}

describe('readCommand', () => {
  it.each([
    ['cat src/a.ts src/b.ts', 'read src/a.ts', 'read src/b.ts'],
    ["sed -n '1,20p' src/a.ts", 'read src/a.ts'],
    ["sed -i 's/foo/bar/g' src/a.ts", 'wrote src/a.ts'],
    ["awk '{print $1; x}' a.txt | sort > out.txt", 'read a.txt', 'wrote out.txt'],
    ['cat "a b.txt"', 'read a b.txt'],
    ['rm -rf build/old.js', 'deleted build/old.js'],
    ['mv a.ts b.ts', 'wrote b.ts', 'deleted a.ts'],
    ['cp a.ts b.ts', 'read a.ts', 'wrote b.ts'],
    ["cat > a.py <<'EOF'\nrm x.ts\ncat y.ts > z.ts\nEOF\ncat b.py", 'read b.py', 'wrote a.py'],
    ['npm test > log.txt 2>&1', 'wrote log.txt'],
    ['npm test 2>/dev/null'],
    ['sudo FOO=1 tee conf/a.conf < in.txt', 'read in.txt', 'wrote conf/a.conf'],
    ['git rm src/a.ts && git mv b.ts c.ts', 'wrote c.ts', 'deleted src/a.ts', 'deleted b.ts'],
    ['echo "a > b.ts; rm c.ts"'],
    ["grep -rn 'a|b' src/x.ts # cat z.ts"],
    ['node -e "if (a > b.c) process.exit(1)"'],
  ])('lists uses of files: %s', (command, ...expected) => {
    expect(fileUses(command)).toEqual(expected)
  })

  it.each([
    ['cd /x && set -e; npm test', 'npm test'],
    ['cd "a b" && cd c && ls', 'cd "a b" && cd c && ls'],
    ['# say\nnpm run check\nnpm test', 'npm run check …'],
    ['cd /x', 'cd /x'],
    ['', ''],
    ['x'.repeat(200), `${'x'.repeat(120)}…`],
  ])('describes the command in one line: %s', (command, gist) => {
    expect(readCommand(command).gist).toBe(gist)
  })

  it('recognises commands that only show text', () => {
    expect(readCommand('cd a && cat x.log | head').onlyShowsText).toBe(true)
    expect(readCommand('cat x | npm test').onlyShowsText).toBe(false)
    expect(readCommand('grep -rn error src | head -5').isSearch).toBe(true)
    expect(readCommand('').onlyShowsText).toBe(false)
  })

  it('distinguishes the same command in different folders', () => {
    expect(readCommand('cd web && npm test').gist).toBe('cd web && npm test')
    expect(readCommand('cd /srv/app && npm test').gist).toBe('npm test')
    expect(readCommand('cd .. && npm test').gist).toBe('npm test')
  })
})
