import './styles/tokens.css'
import './styles/reset.css'
import './styles/base.css'
import './styles/utilities.css'
import './styles/page-picture.css'
import './styles/forced-colors.css'
import { boot } from './app/boot.ts'

const mount = document.getElementById('root')
if (mount) void boot(mount)
