/** Checks that every testable requirement has a test, and that tests name existing requirements. */
import { requirementProblems } from './requirement-problems.ts'
import { requirementTests } from './requirement-tests.ts'
import { readRequirements, seriesSizes } from './requirements.ts'

const problems = requirementProblems(readRequirements(), requirementTests(), seriesSizes)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1
