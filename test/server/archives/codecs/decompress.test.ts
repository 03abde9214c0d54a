/** Compressed archives whose format cannot be read, and damaged ones. */
import { expect, test } from 'bun:test'

/** Decompresses what is no snappy stream, in another process with these variables. @returns the fault */
async function faultOf(variables: Record<string, string>): Promise<string> {
  const code = `
    import { decompress } from '#server/archives/codecs/decompress.ts'
    async function* bytes() { yield Bun.gzipSync('no snappy') }
    try {
      for await (const _ of decompress('sz', bytes()));
    } catch (error) {
      console.log(error.code + ': ' + error.message + ' ' + error.cause)
    }
  `
  const env = { ...process.env, ...variables }
  const child = Bun.spawn([process.execPath, '--eval', code], { env, stderr: 'inherit' })
  return await new Response(child.stdout).text()
}

test('an archive is called damaged only if the module for its format can be loaded', async () => {
  expect(await faultOf({})).toStartWith('unprocessable: The archive is damaged. Error')
  // The module loads this file, which stands for a library that the system does not accept.
  expect(await faultOf({ NAPI_RS_NATIVE_LIBRARY_PATH: '/no/such/library.node' })).toStartWith(
    'internal: This server cannot read archives of this format now. Error',
  )
})
