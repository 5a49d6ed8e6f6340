/** Where a person becomes an owner of the namespace whose console is open. `base`: the service's URL, without a slash. */
export const ownersUrl = (base: string): string => `${base}/console/members`;
