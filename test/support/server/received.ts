/** A response whose body may end with a failure, after what was sent before. */
export async function received({ status, body }: Response) {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const part of body ?? []) text += decoder.decode(part, { stream: true })
    return { status, text, hasFailed: false }
  } catch {
    return { status, text, hasFailed: true }
  }
}
