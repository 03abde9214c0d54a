/**
 * A program that requests a small file every 5 ms, without waiting for earlier responses. It is a process of its own, so
 * that other work of the bench does not delay it. Arguments: the URL, the token and the seconds. Prints the times in
 * milliseconds, as JSON. It fails if a request fails.
 */
const PERIOD_MS = 5

const [url = '', token = '', seconds = '0'] = process.argv.slice(2)
const headers = { 'X-Auth': token }
const times: number[] = []
const requests: Promise<void>[] = []
const endsAt = performance.now() + Number(seconds) * 1000
while (performance.now() < endsAt) {
  requests.push(requestOnce())
  await Bun.sleep(PERIOD_MS)
}
await Promise.all(requests)
process.stdout.write(JSON.stringify(times))

async function requestOnce(): Promise<void> {
  const startedAt = performance.now()
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  await response.bytes()
  times.push(performance.now() - startedAt)
}
