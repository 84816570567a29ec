/**
 * The public API by entry point, as API Extractor finds it in the types that the package would ship:
 * every export with its kind, comment and methods, and the report of all signatures.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  type ExtractorLogLevel,
  type ExtractorMessage,
} from '@microsoft/api-extractor'
import { type ApiKind, type EntryFiles, entryFiles, isValue, packageFolder } from './api-reports.ts'
import { type JsDoc, readJsDoc } from './js-doc.ts'

export interface ApiExport extends JsDoc {
  readonly name: string
  readonly kind: ApiKind
  /** The file that declares it, relative to the package folder. */
  readonly file: string
  /** Methods of an interface as they are called: `append`, `history.fork`; empty for others. */
  readonly methods: readonly (JsDoc & { readonly name: string })[]
}

export interface EntryPoint {
  /** Its import path: `throughline/stores`. */
  readonly name: string
  /** The first comment of its file. */
  readonly purpose: string
  readonly exports: readonly ApiExport[]
}

export interface PublicApi {
  readonly entries: readonly EntryPoint[]
  /** The text of each report, by path. */
  readonly reports: ReadonlyMap<string, string>
}

const cache = join(packageFolder, '.cache', 'api')
const types = join(cache, 'types')

export function publicApi(): PublicApi {
  const settings = join(packageFolder, 'tsconfig.build.json')
  spawnSync(`tsc -p "${settings}" --outDir "${types}"`, { stdio: 'inherit', shell: true })
  for (const folder of ['reports', 'new']) mkdirSync(join(cache, folder), { recursive: true })
  const files = entryFiles()
  const configs = files.map(configOf)
  const [first] = configs
  if (first === undefined) throw new Error('the package exports nothing')
  const additionalEntryPoints = configs.map((config) => config.mainEntryPointFilePath)
  const compilerState = CompilerState.create(first, { additionalEntryPoints })
  const messageCallback = (message: ExtractorMessage) => {
    message.handled = true
  }
  for (const config of configs)
    Extractor.invoke(config, { compilerState, localBuild: true, messageCallback })
  return {
    entries: files.map(entryPoint),
    reports: new Map(files.map((file) => [file.report, read(pathOf(file, 'new', 'md'))])),
  }
}

function configOf(files: EntryFiles): ExtractorConfig {
  const none = { default: { logLevel: 'none' as ExtractorLogLevel } }
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: packageFolder,
      mainEntryPointFilePath: join(types, `${files.path}.d.ts`),
      newlineKind: 'lf',
      compiler: { overrideTsconfig: compilerSettings(files) },
      apiReport: {
        enabled: true,
        // Types reached through an export change with it.
        includeForgottenExports: true,
        reportFileName: `${reportName(files)}.api.md`,
        reportFolder: join(cache, 'reports'),
        reportTempFolder: join(cache, 'new'),
      },
      docModel: { enabled: true, apiJsonFilePath: pathOf(files, 'new', 'json') },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: none,
        extractorMessageReporting: none,
        tsdocMessageReporting: none,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(packageFolder, 'package.json'),
  })
}

function compilerSettings({ path }: EntryFiles): object {
  const language = { target: 'ES2023', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['node'] }
  const modules = { module: 'NodeNext', moduleResolution: 'NodeNext' }
  return {
    compilerOptions: { ...language, ...modules, strict: true, skipLibCheck: true },
    files: [join(types, `${path}.d.ts`)],
  }
}

function reportName({ name }: EntryFiles): string {
  return name.replaceAll('/', '-')
}

function pathOf(files: EntryFiles, folder: string, extension: 'md' | 'json'): string {
  return join(cache, folder, `${reportName(files)}.api.${extension}`)
}

/** The fields of an API Extractor item that are read here. */
interface Item {
  readonly kind: string
  readonly name: string
  readonly docComment: string
  readonly fileUrlPath?: string
  readonly members?: readonly Item[]
}

function entryPoint(files: EntryFiles): EntryPoint {
  const model = JSON.parse(read(pathOf(files, 'new', 'json'))) as { readonly members: [Item] }
  const items = new Map(model.members[0].members?.map((item) => [item.name, item]))
  return {
    name: files.name,
    purpose: readJsDoc(/^\/\*\*[\s\S]*?\*\//.exec(sourceOf(files))?.[0] ?? '').prose,
    exports: [...items.values()].map(exportOf).toSorted(byName),
  }
}

function exportOf(item: Item): ApiExport {
  return {
    ...readJsDoc(item.docComment),
    name: item.name,
    kind: kinds[item.kind] ?? 'type',
    file: (item.fileUrlPath ?? '').replace(/^.*?types\//, 'src/').replace('.d.ts', '.ts'),
    methods: item.kind === 'Interface' ? methodsOf(item) : [],
  }
}

const kinds: Readonly<Record<string, ApiKind>> = {
  Class: 'class',
  Function: 'function',
  Interface: 'interface',
  Variable: 'const',
}

function methodsOf({ members = [] }: Item): ApiExport['methods'] {
  return members
    .filter(({ kind }) => kind === 'MethodSignature')
    .map(({ name, docComment }) => ({ ...readJsDoc(docComment), name }))
}

function byName(one: ApiExport, other: ApiExport): number {
  return Number(isValue(other)) - Number(isValue(one)) || one.name.localeCompare(other.name, 'en')
}

function sourceOf({ path }: EntryFiles): string {
  return read(join(packageFolder, 'src', `${path}.ts`))
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
