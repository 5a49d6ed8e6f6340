/** What comes from chance: the input of the step, without its kind where it is said, and sentences that mean it. */
export const CHANCE: Readonly<Record<string, readonly string[]>> = {
  'number from=2 to=48 step=2 times=3': [
    'three random even numbers below 50',
    'give me 3 random even numbers under 50',
  ],
  'number from=1 to=99 step=2 times=1': [
    'random odd number between 1 and 99',
    'pick a random odd integer from 1 to 100',
  ],
  'number from=10 to=50 step=5 times=1': [
    'random multiple of 5 between 10 and 50',
    'a random number between 10 and 50 divisible by 5',
  ],
  'number from=1 to=6 times=4': ['4 random numbers from 1 to 6', 'pick four random integers between 1 and 6'],
  'password length=6 omits=symbols,lower,upper times=1': [
    'a 6 digit PIN',
    'make me a 6-digit code',
    'PIN with 6 digits',
  ],
  'password length=4 omits=symbols,lower,upper times=1': ['give me a PIN', 'a 4 digit pin code'],
  'password length=32 omits=symbols times=1': [
    'a secure 32 char password with only letters and digits',
    'password, 32 characters, no symbols',
    'create a password of 32 characters without special characters for my router',
  ],
  'password length=20 least={"symbols":2} readable=true times=1': [
    'password with 20 characters including at least two symbols and no ambiguous characters',
  ],
  'passphrase length=4 times=1': [
    'a 4 word passphrase',
    'passphrase of four words',
    'generate a passphrase with 4 words',
  ],
  'words times=3': ['3 random words', 'give me three random words'],
  'dice dice=2d8+1 times=2': ['roll 2d8+1 twice', 'throw 2d8 + 1 two times'],
  'dice dice=1d20 times=1': ['throw a 20-sided die', 'roll one 20 sided die'],
  'coin times=5': ['flip 5 coins', 'toss a coin 5 times', 'flip a coin five times'],
  'pick items=tea or coffee times=1': ['should I have tea or coffee', 'pick one of tea or coffee'],
  'pick items=Ann, Bob and Cid times=2': [
    'pick two winners from Ann, Bob and Cid',
    'choose 2 names at random from: Ann, Bob and Cid',
  ],
  'pick items=yes, no times=1': ['yes or no', 'yes or no?'],
  'shuffle items=a, b, c': ['shuffle a, b, c', 'put a, b, c in random order', 'mix up these letters: a, b, c'],
  'shuffle items=1,2,3,4': ['shuffle 1 to 4', 'randomize the numbers 1 to 4'],
};
