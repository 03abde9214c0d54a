/**
 * Makes the codecs of archives part of a compiled executable.
 *
 * The loaders of native codecs search an addon on the disk. In the bundle, each loader is replaced by a module that embeds
 * the addon, and passes it to `server/files/native-addon`. libbzip2-wasm creates functions from strings (`new Function`),
 * which the executable does not allow: they are replaced by functions in the bundle.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'

const NATIVES = 'codec-addon:'
const LIBBZIP2 = /[\\/]libbzip2-wasm[\\/]dist[\\/]libbzip2-wasm\.js$/

/** Package → the beginning of the names of the packages with its addon, one for each platform. */
const ADDONS = {
  '@napi-rs/lzma': '@napi-rs/lzma',
  'lz4-napi': '@antoniomuso/lz4-napi',
  snappy: '@napi-rs/snappy',
}

/**
 * @param platform the ending of the names of these packages: `linux-x64-gnu`, `darwin-arm64`
 * @param modules the node_modules with the native files
 * @throws Error if the packages for this platform are not installed
 */
export function codecPlugin(platform: string, modules: string): Bun.BunPlugin {
  const addons = Object.entries(ADDONS).map(
    ([name, addon]) => [name, addonFile(modules, addon, platform)] as const,
  )
  return {
    name: 'codecs',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${NATIVES}`) }, ({ path }) => ({
        path: path.slice(NATIVES.length),
        namespace: 'codec',
      }))
      build.onLoad({ filter: /./, namespace: 'codec' }, ({ path }) => ({
        loader: 'js',
        contents: addonModule(modules, path),
      }))
      for (const [name, addon] of addons) {
        build.onLoad({ filter: loaderOf(name) }, () => ({
          loader: 'js',
          contents: loaderModule(addon),
        }))
      }
      build.onLoad({ filter: LIBBZIP2 }, async ({ path }) => ({
        loader: 'js',
        contents: withoutCodeFromStrings(await Bun.file(path).text()),
      }))
    },
  }
}

function loaderOf(name: string): RegExp {
  return new RegExp(`[\\\\/]node_modules[\\\\/]${name.replace('/', '[\\\\/]')}[\\\\/]index\\.js$`)
}

/** The addon's path below node_modules. */
function addonFile(modules: string, name: string, platform: string): string {
  const folder = `${name}-${platform}`
  const path = join(modules, folder)
  const file = existsSync(path) && readdirSync(path).find((entry) => entry.endsWith('.node'))
  if (file) return join(folder, file)
  throw new Error(`${folder} is not installed: npm brings it with --os, --cpu and --libc.`)
}

function loaderModule(addon: string): string {
  return `
const { addon } = require(${JSON.stringify(NATIVES + addon)})
const { loadAddon } = require(${JSON.stringify(join(REPO_ROOT, 'server/files/previews/native-addon.ts'))})
module.exports = loadAddon([addon])
`
}

function addonModule(modules: string, addon: string): string {
  const path = join(modules, addon)
  const sha256 = new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex')
  return `
import embedded from ${JSON.stringify(path)} with { type: 'file' }
export const addon = { path: ${JSON.stringify(addon)}, embedded, sha256: '${sha256}' }
`
}

/**
 * The code in which embind, the binding of libbzip2 to JavaScript, creates functions from strings, and code that does the
 * same without strings.
 */
const REPLACEMENTS: [from: RegExp, to: string][] = [
  [
    /return new Function\("body","return function "\+name.*?\)\(body\)\}/s,
    'return function(){"use strict";return body.apply(this,arguments)}}',
  ],
  [
    /var args=\[\];for\(var i=1;i<signature\.length.*?return new Function\("dynCall","rawFunction",body\)\(dynCall,rawFunction\)\}/s,
    'return function(){return dynCall.apply(null,[rawFunction].concat(Array.from(arguments)))}}',
  ],
  [
    /var argsList="";var argsListWired="";for\(var i=0;i<argCount-2.*?return invokerFunction\}/s,
    `return function(){
      if(arguments.length!==argCount-2)throwBindingError("function "+humanName+" called with "+arguments.length+" arguments, expected "+(argCount-2)+" args!");
      var stack=needsDestructorStack?[]:null;
      var wired=isClassMethodFunc?[argTypes[1].toWireType(stack,this)]:[];
      for(var i=2;i<argCount;++i)wired.push(argTypes[i].toWireType(stack,arguments[i-2]));
      var rv=cppInvokerFunc.apply(null,[cppTargetFunc].concat(wired));
      if(needsDestructorStack)runDestructors(stack);
      else for(var j=0;j<wired.length;++j){
        var type=argTypes[isClassMethodFunc?j+1:j+2];
        if(type.destructorFunction!==null)type.destructorFunction(wired[j]);
      }
      if(returns)return argTypes[0].fromWireType(rv);
    }}`,
  ],
]

/** @throws Error if the code of the library has changed, so that REPLACEMENTS must be adapted */
function withoutCodeFromStrings(library: string): string {
  let changed = library
  for (const [from, to] of REPLACEMENTS) {
    if (!from.test(changed)) throw new Error(`libbzip2-wasm no longer contains ${from}.`)
    changed = changed.replace(from, () => to)
  }
  if (/\bnew Function\b|new_\(Function,|\beval\(/.test(changed)) {
    throw new Error('libbzip2-wasm creates functions from strings in other code, too.')
  }
  return changed
}
