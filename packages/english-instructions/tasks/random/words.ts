/** Short, plain and easily told apart: the words of passphrases. Their number is a power of two: 512 make 9 bits each. */
export const WORDS: readonly string[] =
  `acorn actor adult agent alarm album alley almond amber anchor angle animal ankle antler apple apron
arch arena arrow artist atlas attic autumn awning bacon badge bagel baker balloon bamboo banana banjo barley barn barrel basil
basket bath beach beacon beaver bell bench berry bicycle birch biscuit blanket blossom board boat bonnet book boot border bottle
bowl box bracelet branch brass bread breeze brick bridge broom brush bucket buckle budget bug bugle bulb bunker burrow bus
butter button cabin cable cactus cake camel camera canal candle canoe canvas canyon captain car card cargo carpet carrot cart
castle cattle cave cedar cellar cereal chain chair chalk chapel cheese cherry chess chest chimney cinema circle circus city
clay cliff clock cloud clover coach coast coat cobra cocoa coffee coin collar comet compass copper coral cork corner cotton
couch county cousin crab cradle crane crater crayon cream cricket crow crown cube cup curtain cushion cycle dairy daisy dance
dawn deer desert desk diary dinner dish ditch dock doctor dog dolphin donkey door dragon drawer dress drum duck dune dust eagle
ear earth easel echo eclipse egg elbow elephant elm ember engine envelope evening fabric falcon family farm feather fence fern
ferry fiddle field fig finch finger fire fish flag flame flask flute fog forest fork fossil fountain fox frame freckle frog frost
fruit galaxy garden garlic gate ghost giant ginger giraffe glacier glass glove goat gold goose grain grape grass gravel guitar
gull hammer hamster harbor harp harvest hat hawk hazel heart hedge helmet heron hill hive honey hook horn horse hotel house ice
igloo ink insect iris iron island ivory ivy jacket jaguar jar jasmine jelly jewel jigsaw judge jungle kettle key kiosk kitchen
kite kitten knee knight knot ladder lagoon lake lamp lantern lark laundry lava lawn leaf leather lemon lens lentil leopard letter
library lily lime linen lion lizard lobster lock locket log lotus lumber lunch lynx magnet maple marble market mask meadow medal
melody melon mercury metal meteor mirror mitten molar monkey moon morning moss moth motor mountain mouse mud muffin museum
mushroom music mustard napkin nation needle nest nickel night noodle notebook nursery nutmeg oak oasis oat ocean octopus office
olive onion opal orange orbit orchard orchid organ otter oven owl oyster paddle painter palace palm pancake panda panther paper
parcel park parrot parsley pasta path patio peach peacock peanut pear pebble pelican pencil penguin pepper piano pickle picnic
pigeon pillow pilot pine pirate planet plate plum pocket poem pond pony poppy porch potato potter prairie pretzel puddle pumpkin
puppet puzzle quail quarry queen quilt rabbit raccoon radio raft rail rain raisin rake ranch raven reed ribbon rice ring river
road robin rocket roof rope rose ruby rug saddle sail salad salmon salt sand sandal saturn scarf school scooter seal season seed
shadow sheep shelf shell ship shirt shoe shore shovel silk silver singer skate sketch sled sleeve slipper snail snow soap sock
sofa song soup spark sparrow spider spinach sponge spoon spring squid stable star statue stone storm stove straw stream street
sugar summer sun swan sweater table tailor`.split(/\s+/);
