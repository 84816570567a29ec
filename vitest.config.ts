import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testFolder } from './scripts/test-folder.ts'

/**
 * What takes long begins first, so that no worker is left alone with it. The first run on a machine
 * knows only how large files are, and harnesses that start programs are small ones.
 */
class HarnessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isUnit = ({ moduleId }: TestSpecification) => Number(moduleId.includes('/src/'))
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => isUnit(one) - isUnit(other))
  }
}

export default defineConfig({
  resolve: { conditions: ['throughline-source'] },
  ssr: { resolve: { conditions: ['throughline-source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'bench/**/*.test.ts',
      'harness/**/*.test.ts',
      'compare/**/*.test.ts',
      'scripts/**/*.test.ts',
      'examples/**/*.test.ts',
      'inspector/**/*.test.ts',
      'site/**/*.test.ts',
    ],
    // Of a few seconds on a quiet machine; one that is shared by others must not fail them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The runner keeps a core for itself otherwise, and many tests wait for a disk.
    maxWorkers: '100%',
    // A third of the time went into loading the same modules for each file.
    isolate: false,
    sequence: { sequencer: HarnessesFirst },
    // Programs that tests start spend most of their time on compiling our sources.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
      TMPDIR: testFolder,
    },
    globalSetup: [join(import.meta.dirname, 'scripts/test-folder.ts')],
  },
})
