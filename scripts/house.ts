/**
 * npm run -s house [-- --json]
 *
 * Prints the size of the code: lines and files of every room (tests and data tables apart), the files
 * and distinct functions that run for one append, one context and one compaction by rules, the records
 * between a request and its commit, and the sizes of the store port, the public API and the policy.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { entryFiles, isValue, reportedExports } from './api-reports.ts'
import { measurePaths } from './house/measure-paths.ts'
import { contextRecords, policySettings, storeMethods } from './house/measure-shapes.ts'

const root = join(import.meta.dirname, '..')
/** Rooms of the published package outside the core. */
const doors = ['cli', 'transcripts', 'turns', 'testing']

interface RoomSize {
  readonly workspace: string
  readonly room: string
  readonly files: number
  readonly lines: number
  /** Lines of files that contain only a table, named `*-data.ts`. */
  readonly dataLines: number
}

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
const sizes = [
  ...measureRooms('packages/throughline/src'),
  ...['packages/server/src', 'bench', 'harness'].map((workspace) =>
    measureFolder(workspace, workspace, ''),
  ),
]
const today = sizes.filter(({ workspace }) => workspace === 'packages/throughline/src')
const core = today.filter(({ room }) => !doors.includes(room))
const exported = entryFiles().flatMap(reportedExports)
const distinct = [...new Map(exported.map((each) => [each.name, each])).values()]
const records = contextRecords()
const house = {
  todayLines: sum(today, 'lines'),
  todayFiles: sum(today, 'files'),
  coreLines: sum(core, 'lines'),
  ...(await measurePaths()),
  records: records.length,
  storeMethods: storeMethods().length,
  exportedValues: distinct.filter(isValue).length,
  exportedTypes: distinct.filter((entry) => !isValue(entry)).length,
  policySettings: policySettings().length,
}

if (values.json) console.log(JSON.stringify({ ...house, rooms: sizes }))
else print()

function print(): void {
  const row = (cells: readonly (string | number)[]) =>
    console.log(cells.map((cell, at) => pad(cell, at)).join(''))
  row(['room', 'files', 'lines', 'data lines'])
  for (const { workspace, room, files, lines, dataLines } of sizes)
    row([room === '' ? workspace : room, files, lines, dataLines === 0 ? '' : dataLines])
  console.log()
  const target = (name: string, value: number, most: number | null) =>
    console.log(
      `${name.padEnd(44)}${String(value).padStart(8)}${most === null ? '' : `   maximum ${most}`}`,
    )
  target('lines in the package', house.todayLines, 70_000)
  target('files in the package', house.todayFiles, 900)
  target('lines in the core', house.coreLines, 52_000)
  for (const way of ['append', 'context', 'compaction'] as const)
    console.log(
      `${`code that one ${way} runs`.padEnd(44)}${String(house[way].files).padStart(8)} files, ${house[way].functions} functions`,
    )
  target('records between a request and its commit', house.records, 10)
  for (const name of records) console.log(`  ${name}`)
  target('store port methods', house.storeMethods, 16)
  target('exported values', house.exportedValues, null)
  target('exported types', house.exportedTypes, 250)
  target('policy settings', house.policySettings, 12)
}

function pad(cell: string | number, at: number): string {
  return at === 0 ? String(cell).padEnd(32) : String(cell).padStart(9)
}

function sum(rooms: readonly RoomSize[], field: 'files' | 'lines'): number {
  return rooms.reduce((total, room) => total + room[field], 0)
}

function measureRooms(folder: string): readonly RoomSize[] {
  const rooms = globSync('*', { cwd: join(root, folder), withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
  const split = rooms.flatMap((room) =>
    room === 'flow'
      ? measureRooms(join(folder, room)).map((size) => ({ ...size, room: `flow/${size.room}` }))
      : [measureFolder(join(folder, room), folder, room)],
  )
  const loose = measureFiles(globSync('*.ts', { cwd: join(root, folder) }), folder)
  return [...split, { workspace: folder, room: '(root)', ...loose }]
    .filter(({ files }) => files > 0)
    .map((size) => ({ ...size, workspace: 'packages/throughline/src' }))
}

function measureFolder(folder: string, workspace: string, room: string): RoomSize {
  const files = globSync('**/*.ts', {
    cwd: join(root, folder),
    exclude: (name) => name === 'node_modules',
  })
  return { workspace, room, ...measureFiles(files, folder) }
}

function measureFiles(
  all: readonly string[],
  folder: string,
): Pick<RoomSize, 'files' | 'lines' | 'dataLines'> {
  const isTest = (file: string) => /\.test(?:-support)?\.ts$/.test(file)
  const linesOf = (file: string) =>
    readFileSync(join(root, folder, file), 'utf8').split('\n').length - 1
  const code = all.filter((file) => !isTest(file) && !file.endsWith('-data.ts'))
  const data = all.filter((file) => file.endsWith('-data.ts'))
  const count = (files: readonly string[]) =>
    files.reduce((total, file) => total + linesOf(file), 0)
  return { files: code.length, lines: count(code), dataLines: count(data) }
}
