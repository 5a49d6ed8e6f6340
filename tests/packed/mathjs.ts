// What the service uses of mathjs. The package also makes all of its functions once as it is loaded, for others.
export { all, create } from 'mathjs';
