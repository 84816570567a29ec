/** Writes the documents that are made from code. */
import { writeFileSync } from 'node:fs'
import { generatedDocuments } from './generated-documents.ts'

for (const [path, text] of await generatedDocuments()) writeFileSync(path, text)
