/** A result of the doctor: severity, description and advice. */
export interface Finding {
  level: 'fine' | 'warning' | 'problem'
  /** The result, in one sentence. */
  what: string
  /** Absent if nothing needs to be done. */
  advice?: string
}

export function ok(what: string): Finding {
  return { level: 'fine', what }
}

export function warning(what: string, advice: string): Finding {
  return { level: 'warning', what, advice }
}

export function problem(what: string, advice: string): Finding {
  return { level: 'problem', what, advice }
}
