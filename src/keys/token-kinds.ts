/** What work that is under way is refused for once the key it came by is gone. */
export const KEY_TOKEN = "ssh-key";

/** What work that is under way is refused for once the repository has the key no more. */
export const DEPLOY_KEY_TOKEN = "deploy-key";
