// node-pty is missing where it could not be compiled. Its prebuilt twin has the same types and is always there.
declare module "node-pty" {
  export * from "@lydell/node-pty";
}
