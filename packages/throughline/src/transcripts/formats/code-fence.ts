/** Whether a line of Markdown stands inside a fenced block of code, line by line. */

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/u

export class CodeFence {
  /** Where the open block begins; null outside of one. */
  line: number | null = null
  #mark = ''

  read(text: string, line: number): void {
    // A fence is short, and the line may be of any length.
    const found = fence.exec(text.slice(0, 200))
    if (found === null) return
    const [, mark = '', behind = ''] = found
    if (this.line === null) {
      this.line = line
      this.#mark = mark
    } else if (mark.startsWith(this.#mark) && behind.trim() === '') this.line = null
  }
}
