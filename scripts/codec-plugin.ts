/**
 * Makes the codecs of archives part of a compiled executable.
 *
 * The loaders of the native ones look for an addon on the disk. In the bundle, a module takes each
 * loader's place that embeds the addon and hands it to `server/files/native-addon`. libbzip2's writes
 * parts of itself as text, which the executable does not run: they become functions.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'

const NATIVES = 'codec-addon:'
const LIBBZIP2 = /[\\/]libbzip2-wasm[\\/]dist[\\/]libbzip2-wasm\.js$/

/** Package → what the names of its addons' packages begin with. */
const ADDONS = {
  '@napi-rs/lzma': '@napi-rs/lzma',
  'lz4-napi': '@antoniomuso/lz4-napi',
  snappy: '@napi-rs/snappy',
}

/**
 * @param platform as the codecs call it: `linux-x64-gnu`, `darwin-arm64`
 * @param modules the node_modules with the native files
 * @throws Error when the codecs' packages for this platform are not installed.
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
        contents: withoutWrittenCode(await Bun.file(path).text()),
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
const { loadAddon } = require(${JSON.stringify(join(REPO_ROOT, 'server/files/native-addon.ts'))})
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
 * Where embind, the glue between libbzip2 and JavaScript, makes functions out of text, and what does
 * the same without.
 */
const WRITTEN: [from: RegExp, to: string][] = [
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

/** @throws Error when the library is written another way by now */
function withoutWrittenCode(library: string): string {
  let changed = library
  for (const [from, to] of WRITTEN) {
    if (!from.test(changed)) throw new Error(`libbzip2-wasm no longer holds ${from}.`)
    changed = changed.replace(from, () => to)
  }
  if (/\bnew Function\b|new_\(Function,|\beval\(/.test(changed)) {
    throw new Error('libbzip2-wasm writes code in another place, too.')
  }
  return changed
}
