// In the place of the SDK's resources in the bundle (build.js): the clouds' clients make some for their callers, and only `post` is used here.

export class Messages {}

export class Beta {
  messages = {};
}
