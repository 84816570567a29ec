import { describe, expect, it } from 'vitest'
import { patchedFiles } from './patched-files.ts'

function changesIn(...lines: readonly string[]): readonly string[] {
  return patchedFiles(lines.join('\n')).map(({ path, change }) => `${change} ${path}`)
}

describe('patchedFiles', () => {
  it('reads the form of apply-patch tools, with moves', () => {
    expect(
      changesIn(
        '*** Begin Patch',
        '*** Add File: a b.ts',
        '+x',
        '*** Update File: old.ts\r',
        '*** Move to: new.ts',
        '@@',
        '*** Delete File: gone.ts',
        '*** End Patch',
      ),
    ).toEqual(['added a b.ts', 'deleted old.ts', 'edited new.ts', 'deleted gone.ts'])
  })

  it('reads unified diffs, with dates and spaces', () => {
    expect(
      changesIn(
        '--- a/src/a b.ts\t2026-01-01',
        '+++ b/src/a b.ts\t2026-01-02',
        '@@ -1 +1 @@',
        '--- /dev/null',
        '+++ b/new.ts',
        '--- a/old.ts',
        '+++ /dev/null',
      ),
    ).toEqual(['edited src/a b.ts', 'added new.ts', 'deleted old.ts'])
  })

  it('reads the headers of git where no lines follow', () => {
    expect(
      changesIn(
        'diff --git a/x.png b/x.png',
        'new file mode 100644',
        'diff --git a/run.sh b/run.sh',
        'old mode 100644',
        'diff --git a/a.ts b/b.ts',
        'rename from a.ts',
        'rename to b.ts',
      ),
    ).toEqual(['added x.png', 'edited run.sh', 'edited b.ts', 'deleted a.ts'])
  })

  it('takes lines of the file itself for no header', () => {
    expect(changesIn('--- a/a.sql', '+++ b/a.sql', '@@ -1,2 +1,2 @@', ' x', '+++ counter')).toEqual(
      ['edited a.sql'],
    )
  })

  it('is bounded', () => {
    expect(patchedFiles('*** Add File: a\n'.repeat(10)).length).toBe(1)
    const many = Array.from({ length: 5_000 }, (_, at) => `*** Add File: ${at}.ts`).join('\n')
    expect(patchedFiles(many).length).toBe(100)
  })
})
