/** The name that a request with an app password has where others have the id of a session, such as in records. */

export function sessionNameOf(id: number): string {
  return `app-${id}`
}

/** @returns the id of the app password; undefined for the id of a session */
export function idOfSession(session: string): number | undefined {
  const [, id] = /^app-(\d+)$/.exec(session) ?? []
  return id === undefined ? undefined : Number(id)
}
