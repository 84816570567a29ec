/** Every requirement that a test can show has one, and every test names requirements that there are. */
import { requirementProblems } from './requirement-problems.ts'
import { requirementTests } from './requirement-tests.ts'
import { readRequirements, seriesSizes } from './requirements.ts'

const problems = requirementProblems(readRequirements(), requirementTests(), seriesSizes)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1
