/** What a check of `doctor` found. */
export interface Finding {
  readonly about: string
  readonly state: 'ok' | 'note' | 'warning' | 'problem'
  readonly text: string
}

function finding(state: Finding['state']) {
  return (about: string, text: string): Finding => ({ about, state, text })
}

export const ok = finding('ok')
export const note = finding('note')
export const warning = finding('warning')
export const problem = finding('problem')
