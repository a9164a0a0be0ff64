// The bash grammar, from the only package that we use for it.
export { forEachChild, parse } from "unbash";
