// The grammar of bash, from the one package that reads it.
export { forEachChild, parse } from "unbash";
