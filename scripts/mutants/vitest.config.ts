/** Runs the tests of a mutant in the order of a list, fastest first. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import whole from '../../vitest.config.ts'

const root = join(import.meta.dirname, '../..')
const { MUTANT_TESTS: list, MUTANT_COVERAGE: coverage } = process.env
const order: readonly string[] = list === undefined ? [] : JSON.parse(readFileSync(list, 'utf8'))

class Listed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => order.indexOf(relative(root, moduleId))
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

export default mergeConfig(whole, {
  test: {
    sequence: { sequencer: Listed },
    setupFiles: coverage === undefined ? [] : [join(import.meta.dirname, 'record-coverage.ts')],
  },
})
