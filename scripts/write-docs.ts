/** Writes the generated documents. */
import { writeFileSync } from 'node:fs'
import { generatedDocuments } from './generated-documents.ts'
import { publicApi } from './public-api.ts'

for (const [path, text] of await generatedDocuments(publicApi())) writeFileSync(path, text)
