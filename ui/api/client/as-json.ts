/** @returns the options of a request with a JSON body */
export function asJson<Method extends 'POST' | 'PUT' | 'PATCH' | 'DELETE'>(
  method: Method,
  body: object,
) {
  const headers = { 'Content-Type': 'application/json' }
  return { method, body: JSON.stringify(body), headers }
}
