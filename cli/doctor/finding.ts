/** What the doctor found: how bad it is, what it is, and what to do. */
export interface Finding {
  level: 'fine' | 'warning' | 'problem'
  what: string
  /** Absent where all is well. */
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
