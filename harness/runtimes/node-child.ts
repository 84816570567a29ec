/** Runs the program in a new process of Node: cases on standard input, results on standard output. */
import { text } from 'node:stream/consumers'
import { fitCase } from './fit-case.ts'

const asked = JSON.parse(await text(process.stdin)) as readonly Parameters<typeof fitCase>[]
const results: string[] = []
for (const [json, tokenizer] of asked) results.push(await fitCase(json, tokenizer))
process.stdout.write(JSON.stringify(results))
