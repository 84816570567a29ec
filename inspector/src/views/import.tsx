/** Transcripts of other tools, dropped onto the page or chosen as files. */
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../data/api.ts'
import { count, number, short } from '../data/format.ts'
import { linkTo } from '../data/route.ts'
import { MayWrite } from '../parts/action.tsx'
import { Dialog } from '../parts/dialog.tsx'

interface Imported {
  readonly conversations: readonly {
    readonly id: string
    readonly messages: number
    readonly added: number
  }[]
  readonly problems: number
}

interface FileImport {
  readonly name: string
  readonly size: number
  /** 0 to 1 while it is sent; 1 while the server reads it. */
  readonly sent: number
  readonly done: Imported | null
  readonly problem: string | null
}

export function ImportZone({ imported }: { readonly imported: () => void }) {
  const mayWrite = useContext(MayWrite)
  const [isOver, setOver] = useState(false)
  const [files, setFiles] = useState<readonly FileImport[]>([])
  const chooser = useRef<HTMLInputElement>(null)
  // Two files of different folders may have the same name.
  const change = (place: number, changes: Partial<FileImport>) =>
    setFiles((before) => before.map((each, at) => (at === place ? { ...each, ...changes } : each)))
  const add = async (chosen: readonly File[]) => {
    setFiles(chosen.map(({ name, size }) => ({ name, size, sent: 0, done: null, problem: null })))
    for (const [place, file] of chosen.entries()) {
      try {
        const done = await upload(await file.text(), file.name, (sent) => change(place, { sent }))
        change(place, { sent: 1, done })
        imported()
      } catch (error) {
        change(place, { problem: error instanceof Error ? error.message : String(error) })
      }
    }
  }
  const adding = useRef(add)
  adding.current = add
  useEffect(() => {
    if (!mayWrite) return
    let depth = 0
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth += 1
      setOver(true)
    }
    const leave = () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    const drop = (event: DragEvent) => {
      event.preventDefault()
      depth = 0
      setOver(false)
      const dropped = [...(event.dataTransfer?.files ?? [])]
      if (dropped.length > 0) void adding.current(dropped)
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [mayWrite])
  if (!mayWrite) return null
  return (
    <>
      <button type="button" class="quiet" onClick={() => chooser.current?.click()}>
        Import…
      </button>
      <input
        ref={chooser}
        class="hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Transcripts to import"
        onChange={(event) => {
          void add([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      {isOver && (
        <div class="drop-zone" aria-hidden="true">
          <p>Drop transcripts to import them</p>
        </div>
      )}
      {files.length > 0 && (
        <Dialog title="Import" close={() => setFiles([])}>
          <ul class="plain">
            {files.map((file, at) => (
              <FileLine key={at} file={file} close={() => setFiles([])} />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

interface FileLineProps {
  readonly file: FileImport
  readonly close: () => void
}

function FileLine({ file: { name, size, sent, done, problem }, close }: FileLineProps) {
  return (
    <li class="import">
      <p>
        <b>{name}</b> <span class="soft">{`${short(size)} bytes`}</span>
      </p>
      {problem !== null && <p role="alert">{problem}</p>}
      {done === null && problem === null && (
        <>
          <progress value={sent} max={1} aria-label={`Import of ${name}`} />
          <p class="soft">{sent < 1 ? 'Sending' : 'The server reads it'}</p>
        </>
      )}
      {done !== null && (
        <div role="status">
          {done.conversations.length === 0 && <p>No conversation was found in this file.</p>}
          {done.conversations.slice(0, 20).map(({ id, messages, added }) => (
            <p key={id}>
              <a href={linkTo(id)} onClick={close}>
                {id}
              </a>{' '}
              <span class="soft">{`${count(messages, 'message')}, ${number(added)} new`}</span>
            </p>
          ))}
          {done.problems > 0 && (
            <p class="soft">{`${count(done.problems, 'record')} could not be read.`}</p>
          )}
        </div>
      )}
    </li>
  )
}

/** `fetch` does not report how much was sent. */
function upload(text: string, name: string, progress: (sent: number) => void): Promise<Imported> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/v1/import')
    request.setRequestHeader('content-type', 'application/json')
    request.setRequestHeader('x-throughline-page', '1')
    request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total)
    request.upload.onload = () => progress(1)
    request.onerror = () =>
      reject(new ApiError(0, 'UNREACHABLE', 'The server does not answer.', null))
    request.onload = () => {
      try {
        const answer = JSON.parse(request.responseText) as Imported & { readonly detail?: string }
        if (request.status < 300) resolve(answer)
        else
          reject(
            new ApiError(
              request.status,
              'REFUSED',
              answer.detail ?? 'The server refused it.',
              null,
            ),
          )
      } catch (error) {
        reject(error)
      }
    }
    request.send(JSON.stringify({ text, name }))
  })
}
