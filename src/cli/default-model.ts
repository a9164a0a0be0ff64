// The model of a session for which neither a flag nor a setting names one.
export const defaultModel = "claude-sonnet-5-5";
