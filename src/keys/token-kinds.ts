/** The token kind under which running work is refused once its key is gone. */
export const KEY_TOKEN = "ssh-key";

/** The token kind under which running work is refused once its deploy key is gone from the repository. */
export const DEPLOY_KEY_TOKEN = "deploy-key";
